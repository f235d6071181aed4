import type { ExportFormat } from '../../core/handoff.js';
import { atif } from './atif.js';
import { html } from './html.js';
import { json } from './json.js';
import { markdown } from './markdown.js';
import { otel } from './otel.js';
import type { ReadableFormat } from './readable.js';

/** What a session can be written as to be read elsewhere; none of these is taken in again. */
export const readableFormats: Readonly<
  Record<Exclude<ExportFormat, 'keepthread'>, ReadableFormat>
> = { markdown, json, html, atif, otel };
