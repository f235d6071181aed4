import { qwenCode } from './programs/qwenCode.js';
import { programSuite } from './programSuite.js';

programSuite(qwenCode);
