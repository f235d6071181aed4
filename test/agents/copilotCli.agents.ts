import { copilotCli } from './programs/copilotCli.js';
import { programSuite } from './programSuite.js';

programSuite(copilotCli);
