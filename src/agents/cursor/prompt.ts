/** Blocks that Cursor puts before and around what a person typed. */
const headBlock =
  /^\s*<(timestamp|user_info|rules|git_status|project_layout|agent_skills|agent_transcripts|attached_files|open_and_recently_viewed_files|manually_attached_skills|additional_data|current_file|system_reminder|system_notification|system-reminder)\b[^>]*>[\s\S]*?<\/\1>/;

const query = /<user_query>([\s\S]*?)(?:<\/user_query>|$)/;

/** What a person typed in a text that was sent in their name; `''` when nothing of it was typed. */
export function typedIn(text: string): string {
  const inner = query.exec(text)?.[1];
  if (inner !== undefined) return inner.trim();
  let rest = text;
  for (let block = headBlock.exec(rest); block !== null; block = headBlock.exec(rest)) {
    rest = rest.slice(block[0].length);
  }
  return rest.trim();
}
