import path from 'node:path';
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { openDesktop } from '../../scripts/vscode/desktop.js';
import { environmentOf } from '../../scripts/vscode/home.js';
import { installServer } from '../../scripts/vscode/install.js';
import { freePort } from '../../scripts/vscode/server.js';
import { forgetWindows, writeSettings } from '../../scripts/vscode/userData.js';
import { openWindow } from '../../scripts/vscode/window.js';
import { answerWithPath, startPerson } from './personInBrowser.js';

export interface TestWindow {
  readonly workspace: string;
  readonly extensions: readonly string[];
  readonly tests: string;
  readonly variables: Readonly<Record<string, string>>;
  /** VS Code remembers nothing by itself: no tabs, no layout, no drafts. */
  readonly forgetful: boolean;
}

export interface RunningTests {
  readonly ended: Promise<number>;
  /** Does what tests ask of a person, in orders that lie in a folder; absent where nobody can. */
  readonly startPerson?: (folder: string) => () => void;
  /** Ends the window and what it started, at once. */
  readonly kill: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A VS Code with data of its own, that opens one window after another. */
export interface Editor {
  open(window: TestWindow): Promise<RunningTests>;
  /** Lets a person run a command that asks for a path; the workspace that the window goes to. */
  leadTo?(walk: PersonsWay): Promise<string>;
}

export interface PersonsWay {
  readonly workspace: string;
  readonly extensions: readonly string[];
  /** As the palette calls it. */
  readonly command: string;
  readonly path: string;
}

/** A kind of VS Code. Each editor keeps what it knows in a folder, and has a home of its own. */
export interface EditorKind {
  readonly name: string;
  /** Whether somebody can look at its windows and use them. */
  readonly hasPerson: boolean;
  create(folder: string, home: string): Promise<Editor>;
}

/** The VS Code that a person downloads where there is one and a screen, else the server build. */
export const chooseEditor = async (
  root: string,
  options: { readonly verbose: boolean },
): Promise<EditorKind> => {
  const wish = process.env['KEEPTHREAD_HOST'];
  if (wish === 'server') return serverBuild(root, options);
  if (wish === 'desktop') return desktop(await download(root));
  const { platform, env } = process;
  if (platform === 'linux' && !env['DISPLAY'] && !env['WAYLAND_DISPLAY']) {
    return serverBuild(root, options);
  }
  try {
    return desktop(await download(root));
  } catch {
    console.log('No VS Code can be downloaded here, so the server build is used.');
    return serverBuild(root, options);
  }
};

const download = (root: string): Promise<string> =>
  downloadAndUnzipVSCode({
    cachePath: path.join(root, '.vscode-test'),
    ...(process.env['KEEPTHREAD_VSCODE'] ? { version: process.env['KEEPTHREAD_VSCODE'] } : {}),
  });

const desktop = (executable: string): EditorKind => ({
  name: 'desktop',
  hasPerson: false,
  create: (folder, home) => {
    const data = path.join(folder, 'data');
    writeSettings(data);
    return Promise.resolve({
      open: ({ forgetful, variables, ...window }) => {
        if (forgetful) forgetWindows(data);
        const env = environmentOf(home, variables);
        const { ended, kill } = openDesktop({ executable, data, env, ...window });
        return Promise.resolve({ ended, kill, close: kill });
      },
    });
  },
});

const serverBuild = (root: string, { verbose }: { readonly verbose: boolean }): EditorKind => {
  const install = installServer(root);
  return {
    name: 'server',
    hasPerson: true,
    create: async (folder, home) => {
      const data = path.join(folder, 'data');
      const userData = path.join(data, 'data');
      // The browser keeps tabs, layout and drafts by origin, so every window of an editor has its port.
      const port = await freePort();
      writeSettings(userData);
      let profiles = 0;
      return {
        leadTo: async ({ command, path: given, ...window }) => {
          const opened = await openWindow({
            ...window,
            ...{ install, data, port, verbose },
            profile: path.join(folder, `profile-${profiles}`),
            env: environmentOf(home),
          });
          try {
            return await answerWithPath(opened, command, given);
          } finally {
            await opened.close();
          }
        },
        open: async ({ forgetful, variables, ...window }) => {
          if (forgetful) {
            profiles += 1;
            forgetWindows(userData);
          }
          const opened = await openWindow({
            ...window,
            ...{ install, data, port, verbose },
            profile: path.join(folder, `profile-${profiles}`),
            env: environmentOf(home, variables),
          });
          return {
            ended: opened.testsEnded,
            startPerson: (orders) => startPerson(opened.page, orders),
            kill: opened.kill,
            close: opened.close,
          };
        },
      };
    },
  };
};
