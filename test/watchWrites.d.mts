/** See watchWrites.mjs. */
export function watchWrites(onWrite: (name: string, path: unknown) => void): void;
