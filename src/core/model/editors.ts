import { z } from 'zod';

/**
 * Where a document is. `uri` is the whole URI as VS Code writes it, authority included; `folder` and
 * `path` are its place below a workspace folder (both percent-encoded as in the URI), so that a
 * session saved in one clone opens in another; `git` is what a `git:` URI shows, since such URIs
 * do not survive a restart (https://github.com/microsoft/vscode/issues/99290).
 */
export const placeSchema = z.object({
  uri: z.string(),
  /** Name of the workspace folder. */
  folder: z.string().optional(),
  /** Path below that folder, without a leading slash. */
  path: z.string().optional(),
  git: z.object({ ref: z.string(), path: z.string() }).optional(),
});
export type Place = z.infer<typeof placeSchema>;

const flags = {
  label: z.string(),
  pinned: z.boolean().optional(),
  preview: z.boolean().optional(),
  /** The visible tab of its group. */
  active: z.boolean().optional(),
  dirty: z.boolean().optional(),
};

export const tabSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), place: placeSchema, ...flags }),
  z.object({ kind: z.literal('diff'), original: placeSchema, modified: placeSchema, ...flags }),
  z.object({
    kind: z.literal('notebook'),
    place: placeSchema,
    notebookType: z.string(),
    ...flags,
  }),
  z.object({
    kind: z.literal('notebookDiff'),
    original: placeSchema,
    modified: placeSchema,
    notebookType: z.string(),
    ...flags,
  }),
  z.object({ kind: z.literal('custom'), place: placeSchema, viewType: z.string(), ...flags }),
  /** A terminal in the editor area; `label` is its name. */
  z.object({ kind: z.literal('terminal'), ...flags }),
  z.object({ kind: z.literal('webview'), viewType: z.string(), ...flags }),
  /** Settings, multi diffs, chat editors: named, not restorable. */
  z.object({ kind: z.literal('unknown'), ...flags }),
]);
export type Tab = z.infer<typeof tabSchema>;
export type TabKind = Tab['kind'];

export const groupSchema = z.object({ tabs: z.array(tabSchema) });
export type Group = z.infer<typeof groupSchema>;

/** A leaf has a size only; sizes are shares of the parent, so that another window size works. */
export interface LayoutNode {
  readonly size?: number | undefined;
  readonly groups?: readonly LayoutNode[] | undefined;
}
export const layoutNodeSchema: z.ZodType<LayoutNode> = z.lazy(() =>
  z.object({ size: z.number().optional(), groups: z.array(layoutNodeSchema).optional() }),
);
/** The object of `vscode.getEditorLayout`; orientation 0 is a row of columns, 1 a column of rows. */
export const layoutSchema = z.object({
  orientation: z.union([z.literal(0), z.literal(1)]),
  groups: z.array(layoutNodeSchema),
});
export type Layout = z.infer<typeof layoutSchema>;

/** Zero-based, as in the API: anchor line and character, active line and character. */
export const selectionSchema = z.tuple([z.number(), z.number(), z.number(), z.number()]);
export type SelectionTuple = z.infer<typeof selectionSchema>;

/** Selection and scroll of one document in one group, from visible editors and from events before. */
export const viewStateSchema = z.object({
  place: placeSchema,
  /** Index into `groups`. */
  group: z.number(),
  selections: z.array(selectionSchema),
  /** First visible line. */
  top: z.number().optional(),
  /** Text of the line that holds the active cursor, to find the place again in changed text. */
  anchor: z.string().optional(),
});
export type ViewState = z.infer<typeof viewStateSchema>;

/** Text that is not on disk: an untitled document, or unsaved changes to a file. */
export const draftSchema = z.object({
  place: placeSchema,
  untitled: z.boolean(),
  languageId: z.string(),
  /** SHA-256 (hex) of the text as JSON, by which the vault has it. */
  text: z.string(),
  /** SHA-256 (hex) of the file's bytes on disk when the draft was taken; absent for untitled ones. */
  disk: z.string().optional(),
});
export type Draft = z.infer<typeof draftSchema>;

export const editorsSchema = z.object({
  layout: layoutSchema.optional(),
  groups: z.array(groupSchema),
  /** Index into `groups`. */
  activeGroup: z.number(),
  views: z.array(viewStateSchema),
  drafts: z.array(draftSchema),
});
export type Editors = z.infer<typeof editorsSchema>;
