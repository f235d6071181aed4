import { lstat, rename } from 'node:fs/promises';

/**
 * Moves a damaged or foreign file away under its name plus the date, so that it can be looked at and a
 * new one can take its place. Answers with the new path.
 */
export async function setAside(file: string, now = new Date()): Promise<string> {
  const date = now.toISOString().replaceAll(':', '-');
  for (let attempt = 1; ; attempt++) {
    const target = attempt === 1 ? `${file}.${date}` : `${file}.${date}-${attempt}`;
    if (await exists(target)) continue;
    await rename(file, target);
    return target;
  }
}

const exists = (file: string): Promise<boolean> =>
  lstat(file).then(
    () => true,
    () => false,
  );
