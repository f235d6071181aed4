import { strict as assert } from 'node:assert';
import type { ViewState } from '../model/editors.js';
import type { Now } from './now.js';
import { at, check, draft, editors, planOf, window, without } from './fixture.test.js';

/** A file that holds a text; its bytes have the same name in short. */
const disk = (text: string) => ({ bytes: text, text });

suite('planRestore: drafts', () => {
  const untitled = 'untitled:notes';
  const open = (uri: string, text: string) => ({
    uri,
    untitled: uri.startsWith('untitled:'),
    text,
  });

  test('brings unsaved text of a new document back', () => {
    check(`${untitled}*`, window(''), 'draft T as notes in 1; focus notes in 1', '', {
      drafts: [draft(untitled, 'T')],
    });
  });

  test('does not double what hot exit brought back, even under another name', () => {
    const drafts = [draft(untitled, 'T')];
    const now = (name: string) => window(`${name}*[dirty]`, { drafts: [open(name, 'T')] });
    check(`${untitled}*[dirty]`, now(untitled), '', '', { drafts });
    check(`${untitled}*[dirty]`, now('untitled:Untitled-7'), '', '', { drafts });
  });

  test('a named document that VS Code brought back without its text gets it', () => {
    const blank = 'untitled://host/notes';
    check(
      `${untitled}*[dirty]`,
      window(`${blank}*[dirty]`, { drafts: [open(blank, '')] }),
      'draft T as notes in 1; focus notes in 1',
      '',
      { drafts: [draft(untitled, 'T')] },
    );
  });

  test('two new documents with the same text are two', () => {
    check(
      'untitled:a* untitled:b',
      window('untitled:a*[dirty]', { drafts: [open('untitled:a', 'T')] }),
      'draft T as b in 1; focus a in 1',
      '',
      { drafts: [draft('untitled:a', 'T'), draft('untitled:b', 'T')] },
    );
  });

  test('a name that other text has taken is not used again', () => {
    check(
      `${untitled}*`,
      window(`${untitled}*[dirty]`, { drafts: [open(untitled, 'other')] }),
      'draft T as notes-1 in 1; focus notes-1 in 1',
      'tab untitled:notes dirty',
      { drafts: [draft(untitled, 'T')] },
    );
  });

  test('unsaved changes come back when the file is the one they were made to', () => {
    check(
      'a*[dirty]',
      window('a*', { disk: () => disk('D') }),
      'draft T as a in 1; focus a in 1',
      '',
      { drafts: [draft('a', 'T', 'D')] },
    );
    check(
      'a*[dirty]',
      window('', { disk: () => disk('D') }),
      'open a in 1:0; draft T as a in 1; focus a in 1',
      '',
      { drafts: [draft('a', 'T', 'D')] },
    );
  });

  test('unsaved changes never cover newer work', () => {
    const drafts = [draft('a', 'T', 'D')];
    check('a*[dirty]', window('a*', { disk: () => disk('newer') }), '', 'draft a changedOnDisk', {
      drafts,
    });
    check(
      'a*[dirty]',
      window('a*[dirty]', { drafts: [open('file:///w/app/a', 'other')] }),
      '',
      'draft a differentDraft',
      { drafts },
    );
  });

  test('a draft that was saved since is there already', () => {
    check('a*[dirty]', window('a*', { disk: () => disk('T') }), '', '', {
      drafts: [draft('a', 'T', 'D')],
    });
  });

  test('unsaved text of a deleted file comes back as an untitled document of that path', () => {
    check(
      'a*[dirty]',
      window('', { exists: without('a') }),
      'draft T as a in 1; focus a in 1',
      '',
      { drafts: [draft('a', 'T', 'D')] },
    );
    const plan = planOf(
      editors('a*[dirty]', { drafts: [draft('a', 'T', 'D')] }),
      window('', { exists: without('a') }),
    );
    assert.ok(plan.steps[0]?.kind === 'draft');
    assert.equal(plan.steps[0].place.uri, 'untitled:/w/app/a');
  });

  test('unsaved text that could not be kept is said', () => {
    check('custom(i)*[dirty]', window('custom(i)*'), '', 'draft i notRestorable');
  });
});

suite('planRestore: views', () => {
  const view = (line: number): ViewState => ({
    place: at('a'),
    group: 0,
    selections: [[line, 0, line, 2]],
    top: 0,
  });
  const viewOf = (now: Now) => {
    const plan = planOf(editors('a* b', { views: [view(7)] }), now);
    return plan.steps.map((step) =>
      `${step.kind} ${'view' in step ? String(step.view?.selections[0]?.[0]) : ''}`.trim(),
    );
  };

  test('a tab that opens gets its selection and scroll', () =>
    assert.deepEqual(viewOf(window('b*')), ['open 7', 'focus undefined']));
  test('a tab that is shown and stands elsewhere goes back there', () =>
    assert.deepEqual(viewOf(window('', { editors: editors('a* b', { views: [view(3)] }) })), [
      'focus 7',
    ]));
  test('the same place is left alone', () =>
    assert.deepEqual(viewOf(window('', { editors: editors('a* b', { views: [view(7)] }) })), []));
});
