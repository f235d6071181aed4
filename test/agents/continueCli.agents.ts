import { continueCli } from './programs/continueCli.js';
import { programSuite } from './programSuite.js';

programSuite(continueCli);
