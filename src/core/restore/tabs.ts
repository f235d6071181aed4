import type { Place, Tab } from '../model/editors.js';
import { placeKey } from './places.js';

/** The places that a tab shows, in the order original, modified. */
export function placesOf(tab: Tab): readonly Place[] {
  switch (tab.kind) {
    case 'text':
    case 'notebook':
    case 'custom':
      return [tab.place];
    case 'diff':
    case 'notebookDiff':
      return [tab.original, tab.modified];
    case 'terminal':
    case 'webview':
    case 'unknown':
      return [];
  }
}

export function mapPlaces(tab: Tab, map: (place: Place) => Place): Tab {
  switch (tab.kind) {
    case 'text':
    case 'notebook':
    case 'custom':
      return { ...tab, place: map(tab.place) };
    case 'diff':
    case 'notebookDiff':
      return { ...tab, original: map(tab.original), modified: map(tab.modified) };
    case 'terminal':
    case 'webview':
    case 'unknown':
      return tab;
  }
}

/** Equal for two tabs that show the same thing in the same way. */
export function tabKey(tab: Tab): string {
  const places = placesOf(tab).map(placeKey).join(' ↔ ');
  switch (tab.kind) {
    case 'custom':
    case 'webview':
      return `${tab.kind} ${tab.viewType} ${places === '' ? tab.label : places}`;
    case 'terminal':
    case 'unknown':
      return `${tab.kind} ${tab.label}`;
    case 'text':
    case 'diff':
    case 'notebook':
    case 'notebookDiff':
      return `${tab.kind} ${places}`;
  }
}

/** Whether a restore can open such a tab again; the others stay open when they are there. */
export const canReopen = (tab: Tab): boolean =>
  tab.kind !== 'terminal' && tab.kind !== 'webview' && tab.kind !== 'unknown';
