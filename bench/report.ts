import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import type { Figure } from './figures.js';

export const tableOf = (figures: readonly Figure[]): string =>
  [
    '| figure | measured | goal |',
    '| --- | --- | --- |',
    ...figures.map(({ what, measured, goal }) => `| ${what} | ${measured} | ${goal} |`),
  ].join('\n');

const machine = (): string => {
  const [cpu] = os.cpus();
  const memory = (os.totalmem() / 1024 ** 3).toFixed(0);
  return `${os.cpus().length} cores (${cpu?.model ?? 'unknown'}), ${memory} GB, ${os.platform()} ${os.release()}, Node.js ${process.versions.node}`;
};

/**
 * Replaces what a report says of one measure, or adds it at the end: `## name`, the command, when and where it was
 * measured, and the figures.
 */
export const writeSection = (file: string, name: string, figures: readonly Figure[]): void => {
  const day = new Date().toISOString().slice(0, 10);
  const lines = [
    `## ${name}`,
    `    npm run bench -- ${name}`,
    `Measured ${day} on ${machine()}.`,
    tableOf(figures),
  ];
  const section = `${lines.join('\n\n')}\n`;
  const text = readFileSync(file, 'utf8').trimEnd();
  const [head = '', ...sections] = text.split(/^(?=## )/m);
  const at = sections.findIndex((other) => other.startsWith(`## ${name}\n`));
  if (at < 0) sections.push(section);
  else sections[at] = section;
  writeFileSync(file, `${[head, ...sections].map((one) => one.trimEnd()).join('\n\n')}\n`);
};
