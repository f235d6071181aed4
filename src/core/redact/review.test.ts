import assert from 'node:assert/strict';
import { Redactor } from './redactor.js';
import { ReviewCollector, type ReviewFinding } from './review.js';
import { Review } from './reviewModel.js';
import { renderReview, type ReviewWords } from './reviewText.js';

// Put together here, so that no scanner takes this file for a leak.
const token = ['ghp_q7Rk2Xw9Lm4Tz8Vb3Nc6', 'Hd1Jf5Gs0PyaAbCd'].join('');

const found = (kind: string, value: string, turn = 1): ReviewFinding => ({
  kind,
  value,
  before: 'it is ',
  after: ' now',
  where: { thread: 'Fix it', turn },
});

suite('what a redactor finds is gathered with what is around it', () => {
  test('in texts, in values and in files, each with its place', () => {
    const collector = new ReviewCollector();
    const redactor = new Redactor({ lane: 'share', observe: collector.observe });
    collector.place = { thread: 'One', turn: 2 };
    redactor.text(`a\nuse ${token} here\nb`);
    collector.place = { field: 'branch' };
    redactor.value({ branch: `fix/${token}`, password: 'Xk9!mmQ2' });
    collector.place = { file: 'a.env' };
    redactor.file('a.env', new TextEncoder().encode('CODE="blue whale 42"'));
    assert.deepEqual(collector.findings, [
      {
        kind: 'github-token',
        value: token,
        before: 'use ',
        after: ' here',
        where: { thread: 'One', turn: 2 },
      },
      {
        kind: 'github-token',
        value: token,
        before: 'fix/',
        after: '',
        where: { field: 'branch' },
      },
      { kind: 'password', value: 'Xk9!mmQ2', before: '', after: '', where: { field: 'branch' } },
      {
        kind: 'secret',
        value: 'blue whale 42',
        before: 'CODE="',
        after: '"',
        where: { file: 'a.env' },
      },
    ]);
  });

  test('what a person keeps is found no more, in files too', () => {
    const redactor = new Redactor({ lane: 'share', allow: [token, 'blue whale 42'] });
    assert.equal(redactor.text(token).text, token);
    const file = new TextEncoder().encode(`CODE="blue whale 42"\nA=${token}`);
    assert.deepEqual(redactor.file('a.env', file).findings, []);
  });
});

suite('a decision is about a value, wherever it stands', () => {
  const review = (): Review =>
    new Review([found('password', 'a1'), found('token', 'b2'), found('password', 'c3', 4)]);

  test('everything is hidden at first', () => {
    assert.deepEqual(review().decisions, { keep: [] });
  });
  test('one value, then hidden again', () => {
    const under = review();
    under.keep('b2');
    assert.deepEqual(under.decisions, { keep: ['b2'] });
    under.hide('b2');
    assert.deepEqual(under.decisions, { keep: [] });
  });
  test('all of a kind', () => {
    const under = review();
    under.keepKind('password');
    under.hide('c3');
    assert.deepEqual(under.decisions, { keep: ['a1'] });
    under.keepKind('token');
    under.hideKind('password');
    assert.deepEqual(under.decisions, { keep: ['b2'] });
  });
  test('what was not found is never kept', () => {
    const under = review();
    under.keep('z');
    under.keepKind('z');
    assert.deepEqual(under.decisions, { keep: [] });
  });
});

suite('the document shows each value where it stands', () => {
  const words: ReviewWords = {
    title: ({ values, places, kept }) => `${values} values, ${places} places, ${kept} kept`,
    notice: ['Best effort.', 'Note.'],
    kind: (kind, values) => `${kind} ${values}`,
    place: ({ thread = '', turn = 0 }) => `${thread} ${turn}`,
    morePlaces: (count) => `${count} more`,
    unlisted: (count) => `${count} unlisted`,
  };
  test('and says how much is hidden that is not listed, so that nobody thinks it is all', () => {
    const some = [found('password', 'a1')];
    assert.match(renderReview(new Review(some, 7), words).text, /^7 unlisted$/m);
    assert.doesNotMatch(renderReview(new Review(some), words).text, /unlisted/);
  });
  test('by kind, with the text around it, and says where on the line it is', () => {
    const review = new Review([
      found('password', 'a1'),
      found('token', 'b\n2'),
      found('password', 'a1', 7),
    ]);
    review.keep('a1');
    const { text, marks } = renderReview(review, words);
    assert.deepEqual(text.split('\n'), [
      '2 values, 3 places, 1 kept',
      'Best effort.',
      'Note.',
      '',
      'password 1',
      '  Fix it 1',
      '      it is a1 now',
      '  Fix it 7',
      '      it is a1 now',
      '',
      'token 1',
      '  Fix it 1',
      '      it is b⏎2 now',
      '',
    ]);
    const lines = text.split('\n');
    assert.deepEqual(
      marks.map((mark) =>
        mark.what === 'found'
          ? lines[mark.line]?.slice(mark.from, mark.to)
          : `${mark.what} ${mark.line}`,
      ),
      ['title 0', 'kind 4', 'value 5', 'a1', 'a1', 'kind 10', 'value 11', 'b⏎2'],
    );
  });

  test('a long value is cut, many places are counted, and nothing turns the writing around', () => {
    const places = Array.from({ length: 25 }, (_, turn) =>
      found('key', `x\u202e${'k'.repeat(500)}`, turn),
    );
    const { text } = renderReview(new Review(places), words);
    assert.match(text, /x·k{198}… now\n/);
    assert.match(text, /\n {2}5 more\n$/);
    assert.ok(!text.includes('\u202e'));
  });
});
