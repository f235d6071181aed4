/** Records as a file of JSON lines. One text of all of them would have to be copied once more, in UTF-16. */
export const jsonLines = (records: readonly unknown[]): Uint8Array =>
  Buffer.concat(records.map((record) => Buffer.from(`${JSON.stringify(record)}\n`)));

/** An agent's own records, with the line ends that reading took off. */
export function linesOf(records: readonly Uint8Array[]): Uint8Array {
  const newline = Buffer.from('\n');
  return Buffer.concat(records.flatMap((record) => [record, newline]));
}

/** Another value of one string member wherever a record has it, without touching any other byte. */
export function withMember(record: Uint8Array, name: string, from: string, to: string): Uint8Array {
  const text = Buffer.from(record).toString('utf8');
  // Inside a string the quotes would be escaped, so this is found only where it is a member.
  const [key, value] = [JSON.stringify(name), JSON.stringify(from)];
  const member = new RegExp(`(${literally(key)}\\s*:\\s*)${literally(value)}`, 'g');
  const changed = text.replace(member, (_, before: string) => before + JSON.stringify(to));
  return changed === text ? record : Buffer.from(changed);
}

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
