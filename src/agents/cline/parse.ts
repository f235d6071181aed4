import type { AgentId } from '../../core/model/thread.js';
import { sayingsParser } from '../sayingsParser.js';
import type { RecordReader } from '../sayings.js';
import type { Source } from '../source.js';
import { BesideModel, isShown } from './besideModel.js';
import { modelLogReader } from './modelLog.js';
import { shownLogReader } from './shownLog.js';

/** A parser of tasks of one of the programs of Cline's family, from either of the logs that they keep. */
export const taskParser = (agent: AgentId): Source['parser'] =>
  sayingsParser({ agent, reader: taskReader });

function taskReader(): RecordReader {
  const shown = shownLogReader();
  const model = modelLogReader();
  const beside = new BesideModel();
  return (record) => {
    if (isShown(record)) return beside.more(shown(record));
    const said = model(record);
    beside.note(record, said);
    return said;
  };
}
