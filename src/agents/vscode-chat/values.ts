import { fieldsOf, isFields, isString, momentIn } from '../json.js';
import type { Fields } from '../json.js';
import { imageInResult } from './images.js';

/** A text that VS Code keeps as a string or as a markdown string (`{ value }`). */
export function wordsOf(value: unknown): string {
  if (isString(value)) return value;
  if (Array.isArray(value)) return value.map(wordsOf).join('');
  const inner = fieldsOf(value)?.['value'];
  return isString(inner) ? inner : '';
}

/** Milliseconds since the epoch; older versions wrote some times as ISO text. */
export function momentOf(value: unknown): number | undefined {
  const at = momentIn(value);
  return at !== undefined && at > 0 ? at : undefined;
}

/** The URI, or the URI of a location, as text; undefined when there is none. */
export function uriOf(value: unknown): string | undefined {
  if (isString(value)) return /^[a-z][a-z0-9+.-]*:/i.test(value) ? value : undefined;
  if (!isFields(value)) return undefined;
  const { external, scheme, authority, path, uri } = value;
  if (isString(external)) return external;
  if (isString(scheme) && isString(path)) {
    const host = isString(authority) && authority !== '' ? `//${authority}` : '//';
    return encodeURI(`${scheme}:${host}${path}`);
  }
  return uri === undefined || uri === value ? undefined : uriOf(uri);
}

/** The last segment of a URI's path, decoded. */
export function nameOfUri(uri: string): string {
  const path = uri.replace(/[?#].*$/, '').replace(/\/+$/, '');
  const name = path.slice(path.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** The path of a folder or file on disk, here or where the window's server ran; other URIs as they are. */
export function pathOfUri(uri: string): string {
  const path = /^(?:file|vscode-remote):\/\/[^/]*(\/.*)$/i.exec(uri)?.[1];
  if (path === undefined) return uri;
  try {
    const decoded = decodeURIComponent(path);
    return /^\/[a-z]:/i.test(decoded) ? decoded.slice(1).replaceAll('/', '\\') : decoded;
  } catch {
    return uri;
  }
}

/**
 * The text of one item of a tool's result: plain text, or a tree of prompt nodes
 * (`@vscode/prompt-tsx` JSON: `{ node: { type: 1, children } }`, text leaves have type 2).
 */
export function resultItemText(item: unknown): string {
  if (isString(item)) return item;
  if (!isFields(item) || imageInResult(item) !== undefined) return '';
  const { value, text } = item;
  if (isString(value)) return value;
  if (isFields(value) && isFields(value['node'])) return promptTreeText(value['node']);
  if (isString(text)) return text;
  return value === undefined ? '' : JSON.stringify(value);
}

function promptTreeText(root: Fields): string {
  const lines: string[] = [];
  const waiting: unknown[] = [root];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (!isFields(node)) continue;
    const { text, children, lineBreakBefore } = node;
    if (isString(text)) {
      if (lineBreakBefore && lines.length > 0 && lines.at(-1)?.endsWith('\n') === false) {
        lines.push('\n');
      }
      lines.push(text);
    }
    if (Array.isArray(children)) for (const child of children.toReversed()) waiting.push(child);
  }
  return lines.join('');
}
