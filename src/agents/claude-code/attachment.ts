import type { Part } from '../../core/model/thread.js';
import { fieldsOf, textOf, type Fields } from '../json.js';
import { blocksOf } from './record.js';

/** The blocks of a prompt that was typed while the agent worked; it reaches the agent as an attachment. */
export function queuedPrompt(record: Fields): readonly Fields[] | undefined {
  const attachment = fieldsOf(record['attachment']);
  if (attachment?.['type'] !== 'queued_command' || record['isMeta'] === true) return undefined;
  const mode = textOf(attachment['commandMode']) ?? 'prompt';
  return mode === 'prompt' ? blocksOf(attachment['prompt']) : undefined;
}

const chosenByPerson = new Set([
  'file',
  'directory',
  'pdf_reference',
  'already_read_file',
  'selected_lines_in_ide',
]);

/** A file, folder or selection that the person put into the prompt; other attachments are injected. */
export function attachedFile(record: Fields): Part | undefined {
  const attachment = fieldsOf(record['attachment']);
  const type = textOf(attachment?.['type']);
  if (attachment === undefined || type === undefined || !chosenByPerson.has(type)) return undefined;
  const name = ['displayPath', 'filename', 'path']
    .map((key) => textOf(attachment[key]))
    .find(Boolean);
  return name === undefined ? undefined : { kind: 'attachment', name };
}
