/** In the surroundings that the extension tells its model about at every prompt. */
const folder =
  /# Current (?:Working|Workspace) Directory \((?:primary: )?(.+?)\)(?: Files)?(?=\n|$)/;

/** In what the command line tells its model at the beginning. */
const folderOfSession = /^\d+\. Working Directory: (.+)$/m;

export const folderIn = (text: string): string | undefined =>
  (folder.exec(text) ?? folderOfSession.exec(text))?.[1];

/** The same where the text still is JSON. */
export function folderInJson(json: string): string | undefined {
  const escaped =
    /# Current (?:Working|Workspace) Directory \((?:primary: )?(.+?)\)(?: Files)?(?:\\n|\\\\n|")/.exec(
      json,
    )?.[1];
  return escaped?.replace(/\\+/g, '\\').replace(/\\"/g, '"');
}
