import type { Todo, ToolCall } from '../model/thread.js';
import { boolean, firstText, number, objects, texts, todosIn } from './fields.js';
import { editsOfBlocks, filesOfPatch } from './patch.js';

/** What a tool call does, whatever the agent calls the tool and its arguments. */
export type Act =
  | { readonly kind: 'shell'; readonly command: string; readonly cwd?: string | undefined }
  | {
      readonly kind: 'read';
      readonly path: string;
      /** One-based. */
      readonly line?: number | undefined;
      readonly lines?: number | undefined;
    }
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  | { readonly kind: 'edit'; readonly path: string; readonly edits: readonly Edit[] }
  /** The format of `apply_patch`, with what it touches. */
  | { readonly kind: 'patch'; readonly text: string; readonly paths: readonly string[] }
  | {
      readonly kind: 'grep';
      readonly pattern: string;
      readonly path?: string | undefined;
      readonly glob?: string | undefined;
    }
  | { readonly kind: 'glob'; readonly pattern: string; readonly path?: string | undefined }
  | { readonly kind: 'list'; readonly path: string }
  | { readonly kind: 'fetch'; readonly url: string; readonly prompt?: string | undefined }
  | { readonly kind: 'webSearch'; readonly query: string }
  | { readonly kind: 'todos'; readonly todos: readonly Todo[] }
  | { readonly kind: 'task'; readonly prompt: string; readonly title?: string | undefined }
  | { readonly kind: 'ask'; readonly questions: readonly string[] };

export type ActKind = Act['kind'];

/** Text that another takes the place of. */
export interface Edit {
  readonly old: string;
  readonly new: string;
  readonly all?: boolean | undefined;
}

/** Names of tools, without case and separators. */
const kinds: Readonly<Record<ActKind, readonly string[]>> = {
  shell: [
    ...['bash', 'shell', 'terminal', 'localshell', 'shellcommand', 'execcommand', 'executebash'],
    ...['executecommand', 'runcommand', 'runcommands', 'runinterminal', 'runshellcommand'],
    ...['runterminalcmd', 'runterminalcommand', 'powershell', 'executepwsh', 'execute'],
  ],
  read: [
    'read',
    'readfile',
    'readfiles',
    'view',
    'viewfile',
    'fsread',
    'cat',
    'readcurrentlyopenfile',
  ],
  write: [
    ...['write', 'writefile', 'writetofile', 'create', 'createfile', 'createnewfile', 'fswrite'],
    'savefile',
  ],
  edit: [
    ...['edit', 'editfile', 'multiedit', 'replace', 'replaceinfile', 'replacestringinfile'],
    ...['multireplacestringinfile', 'searchreplace', 'strreplace', 'singlefindandreplace'],
    ...[
      'strreplaceeditor',
      'texteditor',
      'searchandreplace',
      'editor',
      'notebookedit',
      'applydiff',
      'multiedits',
    ],
  ],
  patch: ['applypatch', 'patch'],
  grep: ['grep', 'grepsearch', 'searchfilecontent', 'searchfiles', 'ripgrep', 'rg', 'searchcode'],
  glob: ['glob', 'find', 'filesearch', 'globsearch', 'fileglobsearch', 'findpath', 'findfiles'],
  list: ['ls', 'list', 'listdirectory', 'listdir', 'listfiles'],
  fetch: [
    'webfetch',
    'fetch',
    'fetchwebpage',
    'fetchurlcontent',
    'readwebpage',
    'fetchurl',
    'readurlcontent',
  ],
  webSearch: ['websearch', 'googlewebsearch', 'searchweb', 'searchtheweb'],
  todos: [
    'todowrite',
    'writetodos',
    'updateplan',
    'managetodolist',
    'updatetodolist',
    'todos',
    'settodolist',
  ],
  task: ['task', 'agent', 'runsubagent', 'spawnagent', 'subagent', 'newtask', 'delegate'],
  ask: [
    'askuserquestion',
    'askfollowupquestion',
    'askuser',
    'question',
    'requestuserinput',
    'askquestions',
  ],
};

const kindOf: ReadonlyMap<string, ActKind> = new Map(
  (Object.keys(kinds) as ActKind[]).flatMap((kind) => kinds[kind].map((name) => [name, kind])),
);

/** What a tool is for, by its name alone. */
export const actKindOf = (name: string): ActKind | undefined =>
  kindOf.get(
    // A server's name or a namespace before the tool's own: `developer__shell`, `functions.exec_command`.
    name
      .replace(/^.*(?:__|\.|\/)/, '')
      .replace(/[_\-\s]/g, '')
      .toLowerCase(),
  );

const path = ['file_path', 'filePath', 'filepath', 'path', 'absolute_path', 'target_file'];
const paths = [...path, 'AbsolutePath', 'TargetFile', 'filename', 'file', 'uri', 'notebook_path'];
const folder = ['path', 'dir_path', 'directory', 'dir', 'target_directory', 'DirectoryPath', 'cwd'];

/** What a call does; undefined for tools of other kinds, and where its arguments do not say. */
export function actOf({ name, input }: Pick<ToolCall, 'name' | 'input'>): Act | undefined {
  const kind = actKindOf(name);
  return kind === undefined ? undefined : readers[kind](input);
}

/** The files that a call names, as it names them; reads, edits and searches alike. */
export function pathsOf(act: Act): readonly string[] {
  if (act.kind === 'patch') return act.paths;
  return 'path' in act && act.path !== undefined ? [act.path] : [];
}

const readers: { readonly [Kind in ActKind]: (input: unknown) => Act | undefined } = {
  shell: (input) => {
    const command = commandOf(input);
    const cwd = firstText(input, [
      'workdir',
      'cwd',
      'directory',
      'dir_path',
      'working_directory',
      'cd',
    ]);
    return command === undefined ? undefined : { kind: 'shell', command, cwd };
  },
  read: (input) => {
    const file = firstText(input, paths) ?? firstText(objects(input, 'files')[0], paths);
    const line = number(input, ['offset', 'start_line', 'startLine', 'line_start']);
    const lines = number(input, ['limit', 'num_lines', 'line_count']);
    return file === undefined ? undefined : { kind: 'read', path: file, line, lines };
  },
  write: (input) => {
    const file = firstText(input, paths);
    const text = firstText(
      input,
      ['content', 'contents', 'file_text', 'text', 'new_content', 'CodeContent'],
      true,
    );
    return file === undefined || text === undefined
      ? undefined
      : { kind: 'write', path: file, text };
  },
  edit: (input) => editOf(input),
  patch: (input) => {
    const text =
      typeof input === 'string' ? input : firstText(input, ['input', 'patch', 'patchText', 'diff']);
    return text === undefined ? undefined : { kind: 'patch', text, paths: filesOfPatch(text) };
  },
  grep: (input) => {
    const pattern = firstText(input, ['pattern', 'query', 'regex', 'Query']);
    const glob = firstText(input, [
      'glob',
      'include',
      'include_pattern',
      'includePattern',
      'file_pattern',
    ]);
    return pattern === undefined
      ? undefined
      : { kind: 'grep', pattern, path: firstText(input, folder), glob };
  },
  glob: (input) => {
    const pattern = firstText(input, ['pattern', 'glob', 'query', 'glob_pattern']);
    return pattern === undefined
      ? undefined
      : { kind: 'glob', pattern, path: firstText(input, folder) };
  },
  list: (input) => ({ kind: 'list', path: firstText(input, [...folder, 'dirPath']) ?? '.' }),
  fetch: (input) => {
    const prompt = firstText(input, ['prompt', 'query']);
    const url = firstText(input, ['url', 'Url']) ?? texts(input, 'urls')[0] ?? addressIn(prompt);
    return url === undefined ? undefined : { kind: 'fetch', url, prompt };
  },
  webSearch: (input) => {
    const query = firstText(input, ['query', 'q', 'search_term']);
    return query === undefined ? undefined : { kind: 'webSearch', query };
  },
  todos: (input) => {
    const todos = todosIn(input);
    return todos === undefined ? undefined : { kind: 'todos', todos };
  },
  task: (input) => {
    const prompt = firstText(input, ['prompt', 'message', 'instructions', 'task']);
    const title = firstText(input, ['description', 'title', 'name']);
    return prompt === undefined ? undefined : { kind: 'task', prompt, title };
  },
  ask: (input) => {
    const one = firstText(input, ['question']);
    const many = objects(input, 'questions').flatMap(
      (entry) => firstText(entry, ['question']) ?? [],
    );
    const questions = one === undefined ? many : [one];
    return questions.length === 0 ? undefined : { kind: 'ask', questions };
  },
};

function commandOf(input: unknown): string | undefined {
  if (typeof input === 'string') return input;
  const keys = ['command', 'cmd', 'CommandLine', 'script'];
  const parts = [...texts(input, 'command'), ...texts(input, 'cmd')];
  // `["bash", "-lc", "make"]` means `make`.
  const [program = '', flag = '', script] = parts;
  if (script !== undefined && parts.length === 3 && /^-l?c$/.test(flag) && /sh$/.test(program)) {
    return script;
  }
  return firstText(input, keys) ?? (parts.length > 0 ? parts.join(' ') : undefined);
}

function editOf(input: unknown): Act | undefined {
  const file = firstText(input, paths);
  const many = [...objects(input, 'edits'), ...objects(input, 'replacements')];
  const edits = (many.length > 0 ? many : [input]).flatMap((entry) => {
    const before = firstText(
      entry,
      ['old_string', 'oldString', 'oldText', 'old_str', 'old', 'search'],
      true,
    );
    const after = firstText(
      entry,
      ['new_string', 'newString', 'newText', 'new_str', 'new', 'replace'],
      true,
    );
    const all = boolean(entry, ['replace_all', 'replaceAll', 'allow_multiple']);
    if (before !== undefined && after !== undefined) return [{ old: before, new: after, all }];
    return editsOfBlocks(firstText(entry, ['diff']) ?? '');
  });
  const target = file ?? firstText(many[0], paths);
  return target === undefined || edits.length === 0
    ? undefined
    : { kind: 'edit', path: target, edits };
}

const addressIn = (text: string | undefined): string | undefined =>
  /https?:\/\/[^\s"'<>)]+/.exec(text ?? '')?.[0];
