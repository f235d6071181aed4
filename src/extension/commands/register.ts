import * as vscode from 'vscode';
import type { CommandSignatures } from '../ids.js';
import { Command } from '../ids.js';
import { isNode } from '../views/nodes.js';
import type { CommandContext, Run } from './context.js';

type Runs = {
  readonly [K in Command]: () => Promise<Run<ReturnType<CommandSignatures[K]> | undefined>>;
};

/** Each command's module is loaded when it is first called. */
const runs: Runs = {
  [Command.newSession]: async () => (await import('./newSession.js')).newSession,
  [Command.save]: async () => (await import('./save.js')).save,
  [Command.load]: async () => (await import('./load.js')).load,
  [Command.list]: async () => (await import('./list.js')).list,
  [Command.rename]: async () => (await import('./edit.js')).rename,
  [Command.setGoal]: async () => (await import('./edit.js')).setGoal,
  [Command.tag]: async () => (await import('./edit.js')).tag,
  [Command.finish]: async () => (await import('./edit.js')).finish,
  [Command.reopen]: async () => (await import('./edit.js')).reopen,
  [Command.deleteSession]: async () => (await import('./deleteSession.js')).deleteSession,
  [Command.exportSession]: async () => (await import('../handoff/exportSession.js')).exportSession,
  [Command.importSession]: async () => (await import('../handoff/importSession.js')).importSession,
  [Command.unlockSessionFile]: async () =>
    (await import('../handoff/importSession.js')).unlockSessionFile,
  [Command.goOnHere]: async () => (await import('../handoff/goOnHere.js')).goOnHere,
  [Command.applyChanges]: async () => (await import('../handoff/applyChanges.js')).applyChanges,
  [Command.undoApply]: async () => (await import('../handoff/applyChanges.js')).undoApply,
  [Command.showLog]: () => Promise.resolve(showLog),
  [Command.whereIsMyData]: async () => (await import('./whereIsMyData.js')).whereIsMyData,
  [Command.continueWork]: async () => (await import('./continueWork.js')).continueWork,
  [Command.openThread]: async () => (await import('./thread.js')).openThread,
  [Command.copyThread]: async () => (await import('./reading.js')).copyThread,
  [Command.copyTurn]: async () => (await import('./reading.js')).copyTurn,
  [Command.openBranch]: async () => (await import('./reading.js')).openBranch,
  [Command.openChanges]: async () => (await import('./reading.js')).openChanges,
  [Command.openImage]: async () => (await import('./reading.js')).openImage,
  [Command.nextPrompt]: async () => (await import('./reading.js')).nextPrompt,
  [Command.previousPrompt]: async () => (await import('./reading.js')).previousPrompt,
  [Command.continueThread]: async () => (await import('./thread.js')).continueThread,
  [Command.continueIn]: async () => (await import('./continueIn.js')).continueIn,
  [Command.continueHere]: async () => (await import('./continueIn.js')).continueHere,
  [Command.undoContinue]: async () => (await import('./undoContinue.js')).undoContinue,
  [Command.continueSessionIn]: async () => (await import('./continueIn.js')).continueSessionIn,
  [Command.undoRestore]: async () => (await import('./load.js')).undoRestore,
  [Command.search]: async () => (await import('./search.js')).search,
  [Command.refresh]: async () => (await import('./refresh.js')).refresh,
  [Command.pauseReading]: async () => (await import('./refresh.js')).pauseReading,
  [Command.resumeReading]: async () => (await import('./refresh.js')).resumeReading,
  [Command.showOlder]: async () => (await import('./refresh.js')).showOlder,
  [Command.attachSessions]: async () => (await import('./attach.js')).attachSessions,
  [Command.detach]: async () => (await import('./attach.js')).detach,
  [Command.showThisFolder]: async () => (await import('./filter.js')).showThisFolder,
  [Command.showWholeProject]: async () => (await import('./filter.js')).showWholeProject,
  [Command.showArchived]: async () => (await import('./filter.js')).showArchived,
  [Command.hideArchived]: async () => (await import('./filter.js')).hideArchived,
  [Command.archive]: async () => (await import('./archive.js')).archive,
  [Command.unarchive]: async () => (await import('./archive.js')).unarchive,
  [Command.reviewFinished]: async () => (await import('./archive.js')).reviewFinished,
  [Command.review]: async () => (await import('../review/commands.js')).review,
  [Command.reviewHide]: async () => (await import('../review/commands.js')).hide,
  [Command.reviewKeep]: async () => (await import('../review/commands.js')).keep,
  [Command.reviewHideKind]: async () => (await import('../review/commands.js')).hideKind,
  [Command.reviewKeepKind]: async () => (await import('../review/commands.js')).keepKind,
  [Command.reviewAccept]: async () => (await import('../review/commands.js')).accept,
  [Command.reviewCancel]: async () => (await import('../review/commands.js')).cancel,
  [Command.forget]: async () => (await import('./forget.js')).forget,
  [Command.takeBackForgetting]: async () =>
    (await import('./takeBackForgetting.js')).takeBackForgetting,
  [Command.showStatistics]: async () => (await import('./storage.js')).showStatistics,
  [Command.previewCleanup]: async () => (await import('./storage.js')).previewCleanup,
  [Command.rebuild]: async () => (await import('./storage.js')).rebuild,
  [Command.bringBack]: async () => (await import('./storage.js')).bringBack,
};

/** Commands that views call with an argument: their failures are shown, not thrown. */
const calledByViews: ReadonlySet<Command> = new Set([
  Command.openThread,
  Command.showOlder,
  Command.copyThread,
  Command.openBranch,
  Command.openChanges,
  Command.openImage,
  Command.unlockSessionFile,
]);

export function registerCommands(context: CommandContext): vscode.Disposable {
  return vscode.Disposable.from(
    ...Object.values(Command).map((id) =>
      vscode.commands.registerCommand(id, (...args: readonly unknown[]) => {
        const run = async (): Promise<unknown> => (await runs[id]())(context, args);
        const [first] = args;
        const byPerson =
          first === undefined || first === null || isNode(first) || first instanceof vscode.Uri;
        return byPerson || calledByViews.has(id) ? context.errors.run(run) : run();
      }),
    ),
  );
}

const showLog: Run<undefined> = ({ log }) => {
  log.show();
  return Promise.resolve(undefined);
};
