/**
 * Tools that the model calls by writing an element, in versions and for models without tool calls of their own.
 */
const tools = [
  'access_mcp_resource|act_mode_respond|apply_diff|ask_followup_question|attempt_completion',
  'browser_action|codebase_search|condense|edit_file|execute_command|fetch_instructions',
  'focus_chain|generate_explanation|generate_image|insert_content|list_code_definition_names',
  'list_files|load_mcp_documentation|new_rule|new_task|plan_mode_respond|read_command_output',
  'read_file|replace_in_file|report_bug|run_slash_command|search_and_replace|search_files',
  'summarize_task|switch_mode|update_todo_list|use_mcp_tool|use_skill|use_subagents|web_fetch',
  'web_search|write_to_file',
].join('|');

const element = new RegExp(`<(${tools})>([\\s\\S]*?)(?:</\\1>|$)`, 'g');
const parameter = /<(\w+)>([\s\S]*?)<\/\1>/g;

/** A stretch of an answer: words, or a call. */
export type Stretch =
  | { readonly text: string }
  | { readonly tool: string; readonly input: Readonly<Record<string, string>> };

export function stretchesOf(text: string): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let from = 0;
  for (const match of text.matchAll(element)) {
    const [whole, tool = '', inner = ''] = match;
    stretches.push({ text: text.slice(from, match.index).trim() });
    const input = [...inner.matchAll(parameter)].map(([, name = '', value = '']) => [name, value]);
    stretches.push({ tool, input: Object.fromEntries(input) as Record<string, string> });
    from = match.index + whole.length;
  }
  stretches.push({ text: from === 0 ? text : text.slice(from).trim() });
  return stretches.filter((stretch) => !('text' in stretch) || stretch.text !== '');
}
