/** Tells a person at a terminal how far long work is; nothing is said into a file or a pipe. */
export interface Progress {
  say(words: string): void;
  /** Takes the line away again. */
  end(): void;
}

const everyMs = 100;

export function createProgress(json: boolean): Progress {
  const { stderr } = process;
  if (json || !stderr.isTTY) return { say: () => undefined, end: () => undefined };
  let last = 0;
  return {
    say(words) {
      const now = performance.now();
      if (now - last < everyMs) return;
      last = now;
      stderr.write(`\r\u001b[K${words.slice(0, Math.max(20, stderr.columns - 1))}`);
    },
    end: () => void stderr.write('\r\u001b[K'),
  };
}
