import type { Argument, Command, Option } from 'commander';

export interface Value {
  readonly value: string;
  readonly about: string;
}

/** What stands in the store, or on this machine, and has to be looked up. */
export type Kind = 'session' | 'snapshot' | 'thread' | 'agent' | 'project';

/** What could stand where the cursor is. */
export interface Wanted {
  readonly values: readonly Value[];
  readonly kind?: Kind | undefined;
  readonly paths?: 'files' | 'dirs' | undefined;
  /** What is typed of it already. */
  readonly typed: string;
  /** What stands before it in the same word: `--format=`. */
  readonly before: string;
  /** The first argument that was given, such as a session's id. */
  readonly given?: string | undefined;
}

/**
 * Finds out what could complete a call, from the program itself, so that nothing has to be kept in step with it.
 *
 * @param words after the program's name; the last one is being typed and may be empty
 */
export function wantedAt(program: Command, words: readonly string[]): Wanted {
  const place = new Place(program);
  for (const word of words.slice(0, -1)) place.pass(word);
  return place.wanted(words.at(-1) ?? '');
}

class Place {
  private command: Command;
  private readonly given: string[] = [];
  private readonly used = new Set<string>();
  /** Whose value comes next. */
  private open: Option | undefined;
  private onlyArguments = false;

  constructor(program: Command) {
    this.command = program;
  }

  pass(word: string): void {
    if (this.open) {
      this.open = undefined;
    } else if (word === '--') {
      this.onlyArguments = true;
    } else if (word.startsWith('-') && !this.onlyArguments) {
      const [flag = ''] = word.split('=');
      const option = this.option(flag);
      if (option) this.used.add(option.long ?? flag);
      if (option && takesValue(option) && !word.includes('=')) this.open = option;
    } else {
      const inner = this.given.length === 0 ? this.inner(word) : undefined;
      if (inner) this.command = inner;
      else this.given.push(word);
    }
  }

  wanted(word: string): Wanted {
    const nothing = { values: [], typed: word, before: '', given: this.given[0] };
    if (this.open) return listAware({ ...nothing, ...valuesOf(this.open, this.command) });
    if (word.startsWith('-') && !this.onlyArguments) {
      const at = word.indexOf('=');
      const option = at === -1 ? undefined : this.option(word.slice(0, at));
      if (at === -1) return { ...nothing, values: this.options() };
      const value = { ...nothing, typed: word.slice(at + 1), before: word.slice(0, at + 1) };
      return option && takesValue(option)
        ? listAware({ ...value, ...valuesOf(option, this.command) })
        : value;
    }
    const argument = this.argument();
    const own = argument ? valuesOf(argument, this.command) : { values: [] };
    const commands = this.given.length > 0 ? [] : this.visibleCommands();
    return { ...nothing, ...own, values: [...commands, ...own.values] };
  }

  private argument(): Argument | undefined {
    const { registeredArguments: all } = this.command;
    const last = all.at(-1);
    return all[this.given.length] ?? (last?.variadic === true ? last : undefined);
  }

  private inner(word: string): Command | undefined {
    return this.command.commands.find(
      (command) => command.name() === word || command.aliases().includes(word),
    );
  }

  private visibleCommands(): readonly Value[] {
    const { command } = this;
    return command
      .createHelp()
      .visibleCommands(command)
      .map((inner) => ({ value: inner.name(), about: inner.description() }));
  }

  /** Those of the command and of what it is part of. */
  private option(flag: string): Option | undefined {
    for (let at: Command | null = this.command; at; at = at.parent) {
      const found = at.options.find(({ short, long }) => short === flag || long === flag);
      if (found) return found;
    }
    return undefined;
  }

  private options(): readonly Value[] {
    const help = this.command.createHelp();
    const all = [...help.visibleOptions(this.command)];
    for (let at = this.command.parent; at; at = at.parent) {
      // A parent's own help and version are not the command's.
      all.push(...at.options.filter(({ long, hidden }) => !hidden && long !== '--version'));
    }
    return all.flatMap(({ long, description }) =>
      !long || this.used.has(long) ? [] : [{ value: long, about: description }],
    );
  }
}

/** Behind a comma the next one of a list is typed, and none stands in it twice. */
function listAware(wanted: Wanted): Wanted {
  const at = wanted.typed.lastIndexOf(',') + 1;
  if (at === 0 || wanted.values.length === 0) return wanted;
  const before = wanted.typed.slice(0, at);
  const used = before.split(',');
  return {
    ...wanted,
    values: wanted.values.filter(({ value }) => !used.includes(value)),
    before: wanted.before + before,
    typed: wanted.typed.slice(at),
  };
}

const takesValue = ({ required, optional }: Option): boolean => required || optional;

/** By its choices, or by what the help calls it: `<dir>`, `<snapshot>`. */
function valuesOf(
  item: Option | Argument,
  command: Command,
): Pick<Wanted, 'values' | 'kind' | 'paths'> {
  const choices = item.argChoices ?? [];
  if (choices.length > 0) return { values: choices.map((value) => ({ value, about: '' })) };
  const name = 'flags' in item ? (/[<[]([^>\].]*)/.exec(item.flags)?.[1] ?? '') : item.name();
  const group = command.parent?.name() ?? '';
  switch (name) {
    case 'dir':
      return { values: [], paths: 'dirs' };
    case 'file':
    case 'path':
      return { values: [], paths: 'files' };
    case 'snapshot':
      return { values: [], kind: 'snapshot' };
    case 'thread':
      return { values: [], kind: 'thread' };
    case 'key':
      return { values: [], kind: group === 'project' ? 'project' : undefined };
    case 'agent':
      return { values: [], kind: 'agent' };
    case 'name':
      return { values: [], kind: isOption(item, '--agent') ? 'agent' : undefined };
    case 'id':
      return { values: [], kind: idKind(item, group) };
    default:
      return { values: [] };
  }
}

function idKind(item: Option | Argument, group: string): Kind | undefined {
  if (isOption(item, '--snapshot')) return 'snapshot';
  if (isOption(item, '--session')) return 'session';
  if (isOption(item, '--thread')) return 'thread';
  if ('flags' in item) return undefined;
  return group === 'session' ? 'session' : group === 'thread' ? 'thread' : undefined;
}

const isOption = (item: Option | Argument, long: string): boolean =>
  'long' in item && item.long === long;
