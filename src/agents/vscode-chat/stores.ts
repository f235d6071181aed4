import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fieldsOf, isString } from '../json.js';

/**
 * Folders that may hold the chat sessions of a window, told from where VS Code keeps our own data.
 *
 * @param storage the extension's folder for this workspace (`context.storageUri`), absent in a window without one
 * @param globalStorage the extension's global folder (`context.globalStorageUri`)
 *
 * VS Code adds `-1` to a workspace's folder while an earlier window still holds it, so the same
 * workspace can have several. Chats of windows without a folder lie with the default profile's global data.
 */
export async function chatStoresBeside(
  storage: string | undefined,
  globalStorage: string,
): Promise<readonly string[]> {
  if (storage === undefined) return emptyWindowStores(dirname(globalStorage));
  const own = dirname(storage);
  const stored = await readWorkspace(own);
  const base = withoutSuffix(basename(own));
  const stores = [own];
  for (const name of await namesIn(dirname(own))) {
    const folder = join(dirname(own), name);
    if (folder === own) continue;
    const twin =
      withoutSuffix(name) === base ||
      (stored !== undefined && (await readWorkspace(folder)) === stored);
    if (twin) stores.push(folder);
  }
  return stores.map((folder) => join(folder, 'chatSessions'));
}

/** In a browser the names themselves may be negative numbers. */
const withoutSuffix = (name: string): string => name.replace(/^(.+)-\d{1,2}$/, '$1');

function emptyWindowStores(globalStorage: string): readonly string[] {
  const user = /^(.*)[\\/]profiles[\\/][^\\/]+[\\/]globalStorage$/.exec(globalStorage)?.[1];
  const roots = user === undefined ? [globalStorage] : [join(user, 'globalStorage'), globalStorage];
  return roots.flatMap((root) =>
    ['emptyWindowChatSessions', 'transferredChatSessions'].map((name) => join(root, name)),
  );
}

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  readonly platform?: NodeJS.Platform | undefined;
}

/**
 * Folders that may hold chat sessions of any VS Code of this user about the given folders (absolute
 * paths). Without folders: the chats of windows that had none.
 */
export async function chatStoresFor(
  folders: readonly string[],
  surroundings: Surroundings,
): Promise<readonly string[]> {
  const users = userFolders(surroundings);
  if (folders.length === 0) {
    return users.flatMap((user) => emptyWindowStores(join(user, 'globalStorage')));
  }
  const storages = await workspaceStorages(folders, users);
  return storages.map((folder) => join(folder, 'chatSessions'));
}

/** Folders in which a VS Code, or a product made from it, keeps what belongs to windows of the folders. */
export async function workspaceStorages(
  folders: readonly string[],
  users: readonly string[],
): Promise<readonly string[]> {
  const wanted = new Set(folders.map(comparable));
  const storages: string[] = [];
  for (const user of users) {
    const root = join(user, 'workspaceStorage');
    for (const name of await namesIn(root)) {
      const folder = join(root, name);
      const uri = await readWorkspace(folder);
      if (uri !== undefined && (await isAbout(uri, wanted))) storages.push(folder);
    }
  }
  return storages;
}

export interface WorkspaceStorage {
  readonly storage: string;
  /** The window's folder, or the first one of its workspace; undefined when nothing on this disk says so. */
  readonly folder: string | undefined;
}

/** All folders in which a VS Code, or a product made from it, keeps what belongs to windows. */
export async function everyWorkspaceStorage(
  users: readonly string[],
): Promise<readonly WorkspaceStorage[]> {
  const storages: WorkspaceStorage[] = [];
  for (const user of users) {
    const root = join(user, 'workspaceStorage');
    for (const name of await namesIn(root)) {
      const storage = join(root, name);
      const uri = await readWorkspace(storage);
      const path = uri === undefined ? undefined : localPath(uri);
      const isFile = path?.endsWith('.code-workspace') === true;
      const folder = isFile ? (await foldersOfWorkspace(path))[0] : path;
      storages.push({ storage, folder });
    }
  }
  return storages;
}

/** Everywhere that chat sessions may be kept, with the folder that they are about. */
export async function everyChatStore(
  surroundings: Surroundings,
): Promise<readonly WorkspaceStorage[]> {
  const users = userFolders(surroundings);
  const ofWindows = await everyWorkspaceStorage(users);
  return [
    ...ofWindows.map(({ storage, folder }) => ({ storage: join(storage, 'chatSessions'), folder })),
    ...users.flatMap((user) =>
      emptyWindowStores(join(user, 'globalStorage')).map((storage) => ({
        storage,
        folder: undefined,
      })),
    ),
  ];
}

const products = ['Code', 'Code - Insiders', 'VSCodium', 'VSCodium - Insiders', 'Code - OSS'];
const servers = [
  ['.vscode-server', 'data'],
  ['.vscode-server-insiders', 'data'],
  ['.vscodium-server', 'data'],
  ['.vscode-remote', 'data'],
  ['.local', 'share', 'code-server'],
];

/** `User` folders of a product made from VS Code on this machine; they may not exist. */
export const userFoldersOf = (
  product: string,
  { env, userHome, platform = process.platform }: Surroundings,
): readonly string[] =>
  applicationData(env, userHome, platform).map((root) => join(root, product, 'User'));

/** `User` folders of the known builds of VS Code, and of other products made from it; they may not exist. */
export function userFolders(
  { env, userHome, platform = process.platform }: Surroundings,
  others: readonly string[] = [],
): readonly string[] {
  const roots = applicationData(env, userHome, platform).flatMap((root) =>
    [...products, ...others].map((product) => join(root, product)),
  );
  const portable = env['VSCODE_PORTABLE'];
  if (portable) roots.unshift(join(portable, 'user-data'));
  roots.push(...servers.map((path) => join(userHome, ...path)));
  return roots.map((root) => join(root, 'User'));
}

function applicationData(
  env: Surroundings['env'],
  userHome: string,
  platform: NodeJS.Platform,
): readonly string[] {
  const moved = env['VSCODE_APPDATA'];
  if (moved) return [moved];
  switch (platform) {
    case 'win32':
      return [env['APPDATA'] ?? join(userHome, 'AppData', 'Roaming')];
    case 'darwin':
      return [join(userHome, 'Library', 'Application Support')];
    default:
      return [
        env['XDG_CONFIG_HOME'] ?? join(userHome, '.config'),
        join(userHome, '.var', 'app', 'com.visualstudio.code', 'config'),
        join(userHome, '.var', 'app', 'com.vscodium.codium', 'config'),
      ];
  }
}

/** What storage folders belong to never changes, and every scan asks for all of them. */
const workspaces = new Map<string, string>();

/** URI of the folder or `.code-workspace` file that a storage folder belongs to. */
async function readWorkspace(storageFolder: string): Promise<string | undefined> {
  const known = workspaces.get(storageFolder);
  if (known !== undefined) return known;
  try {
    const text = await readFile(join(storageFolder, 'workspace.json'), 'utf8');
    const fields = fieldsOf(JSON.parse(text));
    const uri = fields?.['folder'] ?? fields?.['workspace'] ?? fields?.['configuration'];
    if (!isString(uri)) return undefined;
    workspaces.set(storageFolder, uri);
    return uri;
  } catch {
    return undefined;
  }
}

async function isAbout(uri: string, wanted: ReadonlySet<string>): Promise<boolean> {
  const path = localPath(uri);
  if (path === undefined) return false;
  if (wanted.has(comparable(path))) return true;
  if (!path.endsWith('.code-workspace')) return false;
  return (await foldersOfWorkspace(path)).some((folder) => wanted.has(comparable(folder)));
}

/** The path on this machine; a server's own windows name their folders as remote. */
function localPath(uri: string): string | undefined {
  try {
    const { protocol, pathname } = new URL(uri);
    if (protocol === 'file:') return fileURLToPath(uri);
    return protocol === 'vscode-remote:' ? decodeURIComponent(pathname) : undefined;
  } catch {
    return undefined;
  }
}

/** The file may hold comments, so its entries are picked out of the text. */
async function foldersOfWorkspace(file: string): Promise<readonly string[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch {
    return [];
  }
  return [...text.matchAll(/"(path|uri)"\s*:\s*("(?:[^"\\\n]|\\.)*")/g)].flatMap(
    ([, key, quoted]) => {
      const value: unknown = JSON.parse(quoted ?? '""');
      if (!isString(value)) return [];
      const path = key === 'uri' ? localPath(value) : resolve(dirname(file), value);
      return path === undefined ? [] : [path];
    },
  );
}

/** Drive letters come in both cases, and a path may end with a separator or not. */
const comparable = (path: string): string =>
  resolve(path).replace(/^[a-z]:/, (drive) => drive.toUpperCase());

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch {
    return [];
  }
}
