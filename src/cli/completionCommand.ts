import { Argument, type Command } from 'commander';
import { scripts, shells, wordsOfBash, type Shell } from './completion/scripts.js';
import { wantedAt, type Kind, type Value } from './completion/wanted.js';
import type { Settings } from './settings.js';

/** Nobody waits longer at a prompt, in milliseconds. */
const patience = 2000;

/** `completion`, and what its scripts ask. */
export function addCompletionCommands(program: Command, settings: () => Settings): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .description('print a script that lets a shell complete commands, options, agents and ids')
    .addHelpText('after', help)
    .action((shell: Shell) => void process.stdout.write(scripts[shell]));
  program
    .command('complete', { hidden: true })
    .addArgument(new Argument('<shell>').choices(shells))
    .argument('[words...]')
    .option('--next')
    .action(async (shell: Shell, words: readonly string[], call: { readonly next?: boolean }) => {
      const given = call.next === true ? [...words, ''] : words;
      const lines = await linesFor(program, shell, given, settings().store);
      await new Promise((resolve) => process.stdout.write(`${lines.join('\n')}\n`, resolve));
      // A store that takes too long is still being read.
      process.exit();
    });
}

async function linesFor(
  program: Command,
  shell: Shell,
  given: readonly string[],
  store: string,
): Promise<readonly string[]> {
  const { words, kept } = shell === 'bash' ? wordsOfBash(given) : { words: given, kept: 0 };
  const wanted = wantedAt(program, words);
  const found = wanted.kind ? await inTime(wanted.kind, store, wanted.given) : [];
  const values = [...wanted.values, ...found].filter(({ value }) => value.startsWith(wanted.typed));
  const lines = values.map(({ value, about }) => {
    const whole = `${wanted.before}${value}`;
    // Bash shows what it inserts; the others have a place for what it means.
    return shell === 'bash' ? whole.slice(kept) : `${whole}\t${about.replace(/\s+/g, ' ')}`;
  });
  const { paths } = wanted;
  return [...lines, paths === undefined ? ':none' : `:${paths}`];
}

async function inTime(
  kind: Kind,
  store: string,
  given: string | undefined,
): Promise<readonly Value[]> {
  const { lookUp } = await import('./completion/values.js');
  const late = new Promise<readonly Value[]>((resolve) => {
    setTimeout(() => resolve([]), patience).unref();
  });
  // A prompt is no place for complaints.
  return Promise.race([lookUp(kind, store, given).catch(() => []), late]);
}

const help = `
bash        echo 'source <(keepthread completion bash)' >> ~/.bashrc
zsh         keepthread completion zsh > "\${fpath[1]}/_keepthread"
fish        keepthread completion fish > ~/.config/fish/completions/keepthread.fish
powershell  keepthread completion powershell >> $PROFILE`;
