import type { AgentId } from '../../core/model/thread.js';
import type { Source } from '../source.js';
import { readStateFile } from '../stateFile.js';
import { findThreads, taskMemory, watchedFolders, type TaskPlaces } from './find.js';
import { taskParser } from './parse.js';

export interface FamilyMember extends TaskPlaces {
  readonly agent: AgentId;
  readonly name: string;
  readonly recognises: (head: string) => boolean;
  readonly resume?: Source['resume'];
}

/**
 * Cline, and programs that were made from it and keep its store: a folder for each task, with what the
 * model saw and what the person saw. No command opens a task of an extension.
 */
export function createTaskAgent(member: FamilyMember, memory = taskMemory()): Source {
  return {
    agent: member.agent,
    name: member.name,
    find: (query) => findThreads(query, member, memory),
    read: ({ path }, cursor, signal) => readStateFile('messages', path, cursor, signal, true),
    merging: { isJoined: true },
    parser: taskParser(member.agent),
    recognises: member.recognises,
    hasKin: true,
    watch: (query) => watchedFolders(query, member),
    ...(member.resume && { resume: member.resume }),
  };
}
