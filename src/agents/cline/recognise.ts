import { headRecords } from '../fileHead.js';
import { isString } from '../json.js';

/** Whether a file that begins so is a task of Cline, in any of its forms. */
export const recognisesCline = (head: string): boolean =>
  (isTask(head) && !isOfRoo(head)) || isSession(head);

export const recognisesRoo = (head: string): boolean => isTask(head) && isOfRoo(head);

const isTask = (head: string): boolean =>
  /^\uFEFF?\s*\[\s*\{/.test(head) && (isShownLog(head) || isModelLog(head));

const isShownLog = (head: string): boolean =>
  /"ts"\s*:\s*\d/.test(head) && /"type"\s*:\s*"(?:say|ask)"/.test(head);

const isModelLog = (head: string): boolean =>
  /"role"\s*:\s*"(?:user|assistant)"/.test(head) &&
  /<(?:task|environment_details|feedback|user_message)>/.test(head);

/** Both keep the same forms; these marks are Roo Code's alone. */
const isOfRoo = (head: string): boolean =>
  /# Current Workspace Directory|<slug>|"(?:condense|truncation)(?:Id|Parent)"|\\?"apiProtocol\\?"|"contextCondense"|"checkpoint_saved"/.test(
    head,
  );

/** The sessions of Cline's command line. */
const isSession = (head: string): boolean =>
  headRecords(head).some(
    (record) =>
      isString(record['sessionId']) && isString(record['updated_at']) && 'agent' in record,
  );
