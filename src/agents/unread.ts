/** `1 chat is`, `3 chats are`: for what a store holds and nothing here reads. */
export const manyAre = (many: number, one: string, more = `${one}s`): string =>
  many === 1 ? `1 ${one} is` : `${many} ${more} are`;
