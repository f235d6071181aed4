import type { AgentId } from '../../core/model/thread.js';
import { isString, type Fields } from '../json.js';
import { sayingsParser } from '../sayingsParser.js';
import type { RecordReader } from '../sayings.js';
import type { Source } from '../source.js';
import { modelLogReader } from './modelLog.js';
import { shownLogReader } from './shownLog.js';

/** A parser of tasks of one of the programs of Cline's family, from either of the logs that they keep. */
export const taskParser = (agent: AgentId): Source['parser'] =>
  sayingsParser({ agent, reader: taskReader });

function taskReader(): RecordReader {
  const shown = shownLogReader();
  const model = modelLogReader();
  return (record) => (isShown(record) ? shown(record) : model(record));
}

const isShown = (record: Fields): boolean => isString(record['say']) || isString(record['ask']);
