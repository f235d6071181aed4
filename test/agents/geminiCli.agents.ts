import { geminiCli } from './programs/geminiCli.js';
import { programSuite } from './programSuite.js';

programSuite(geminiCli);
