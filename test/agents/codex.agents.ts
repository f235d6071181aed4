import { codex } from './programs/codex.js';
import { programSuite } from './programSuite.js';

programSuite(codex);
