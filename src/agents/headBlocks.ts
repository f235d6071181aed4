const headBlock = /^\s*<(system-reminder|ide_\w+)>[\s\S]*?<\/\1>/;

/** A prompt without the blocks that the editor or the agent put before it. */
export function withoutHeadBlocks(text: string): string {
  let rest = text;
  for (let block = headBlock.exec(rest); block !== null; block = headBlock.exec(rest)) {
    rest = rest.slice(block[0].length);
  }
  return rest;
}
