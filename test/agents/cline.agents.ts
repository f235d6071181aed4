import { cline } from './programs/cline.js';
import { programSuite } from './programSuite.js';

programSuite(cline);
