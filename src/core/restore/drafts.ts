import type { Draft, Place } from '../model/editors.js';
import type { Now, NowDraft } from './now.js';
import { isUntitled, placeLabel, uriKey, uriPath } from './places.js';
import type { RestoreNote, RestoreReason } from './types.js';

/** What becomes of a saved draft; `place` is the document that holds its text in the end. */
export interface DraftPlan {
  readonly draft: Draft;
  readonly place: Place;
  /** `fill`: into the document that is open or opens; `open`: into a new untitled document. */
  readonly action: 'fill' | 'open' | 'none';
  readonly note?: RestoreNote | undefined;
}

/**
 * Puts unsaved text back without covering other work: an open document with the same text is left
 * alone, a file gets its text only when the file itself did not change since, and a name that an
 * untitled document has taken is not used again.
 *
 * @param resolve where a saved place is in this window
 */
export function planDrafts(
  drafts: readonly Draft[],
  now: Now,
  resolve: (place: Place) => Place,
): readonly DraftPlan[] {
  const taken = new Set(now.drafts.map((draft) => uriKey(draft.uri)));
  const unclaimed = [...now.drafts.filter((draft) => draft.untitled)];
  return drafts.map((draft) => {
    const place = resolve(draft.place);
    if (draft.untitled) return planUntitled(draft, place, unclaimed, taken);
    if (!now.exists(place.uri)) return planUntitled(draft, asUntitled(place), unclaimed, taken);
    return planFile(draft, place, now);
  });
}

function planUntitled(
  draft: Draft,
  place: Place,
  unclaimed: NowDraft[],
  taken: Set<string>,
): DraftPlan {
  // VS Code's own hot exit brings untitled documents back, not always under the same name.
  const same = unclaimed.filter((open) => open.text === draft.text);
  const open = same.find((candidate) => uriKey(candidate.uri) === uriKey(place.uri)) ?? same[0];
  if (open !== undefined) {
    unclaimed.splice(unclaimed.indexOf(open), 1);
    return nothing(draft, { uri: open.uri }, 'alreadyThere');
  }
  // In a remote window VS Code brings a named one back under another URI, and loses its text.
  const blank = unclaimed.find((candidate) => candidate.text === '' && sameName(candidate, place));
  if (blank !== undefined) {
    unclaimed.splice(unclaimed.indexOf(blank), 1);
    return { draft, place: { uri: blank.uri }, action: 'fill' };
  }
  const free = freeName(place, taken);
  taken.add(uriKey(free.uri));
  return { draft, place: free, action: 'open' };
}

function planFile(draft: Draft, place: Place, now: Now): DraftPlan {
  const open = now.drafts.find((candidate) => uriKey(candidate.uri) === uriKey(place.uri));
  if (open !== undefined) {
    return nothing(draft, place, open.text === draft.text ? 'alreadyThere' : 'differentDraft');
  }
  const disk = now.disk(place.uri);
  if (disk?.text === draft.text) return nothing(draft, place, 'alreadyThere');
  if (disk === undefined || disk.bytes !== draft.disk) {
    return nothing(draft, place, 'changedOnDisk');
  }
  return { draft, place, action: 'fill' };
}

function nothing(draft: Draft, place: Place, reason: RestoreReason): DraftPlan {
  const outcome = reason === 'alreadyThere' ? 'alreadyThere' : 'skipped';
  const label = placeLabel(place);
  return { draft, place, action: 'none', note: { kind: 'draft', label, outcome, reason } };
}

const sameName = (open: NowDraft, place: Place): boolean =>
  uriPath(open.uri).replace(/^\//, '') === uriPath(place.uri).replace(/^\//, '');

/** Unsaved text of a file that is gone: saving the untitled document writes the file again. */
const asUntitled = (place: Place): Place =>
  isUntitled(place)
    ? place
    : { uri: `untitled:${place.uri.replace(/^[^:]+:/, '').replace(/^\/\/\//, '/')}` };

function freeName(place: Place, taken: ReadonlySet<string>): Place {
  if (!taken.has(uriKey(place.uri))) return place;
  const [, stem = place.uri, extension = ''] = /^(.*?)(?:-\d+)?(\.[^./]*)?$/.exec(place.uri) ?? [];
  for (let number = 1; ; number++) {
    const uri = `${stem}-${number}${extension}`;
    if (!taken.has(uriKey(uri))) return { uri };
  }
}
