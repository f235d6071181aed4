import { pi } from './programs/pi.js';
import { programSuite } from './programSuite.js';

programSuite(pi);
