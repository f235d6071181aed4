import { writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Lets the server write its logs and its extensions' to files. It does so through `@vscode/spdlog`, a native module
 * that an installation without install scripts does not have, and writes nothing then.
 *
 * @param vscode the folder of VS Code in the installation
 */
export const writeServerLogs = (vscode: string): void =>
  writeFileSync(path.join(vscode, 'node_modules/@vscode/spdlog/index.js'), logger);

const logger = `// In the place of the native module: the same lines in the same files.
const fs = require('fs');
const path = require('path');
const levels = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];
class Logger {
  constructor(file) {
    this.file = file;
    this.level = 2;
    this.plain = false;
  }
  getLevel() { return this.level; }
  setLevel(level) { this.level = level; }
  setPattern() { this.plain = false; }
  clearFormatters() { this.plain = true; }
  flush() {}
  drop() {}
  write(level, message) {
    if (level < this.level) return;
    const head = new Date().toISOString().replace('T', ' ').slice(0, -1) + ' [' + levels[level] + '] ';
    fs.appendFileSync(this.file, this.plain ? message : head + message + '\\n');
  }
}
levels.forEach((name, level) => {
  Logger.prototype[name === 'warning' ? 'warn' : name] = function (message) { this.write(level, message); };
});
exports.version = 0;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = exports.createAsyncRotatingLogger = async (name, file) => {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  return new Logger(file);
};
`;
