import type { Frame } from 'playwright-core';

/** What a page is made of, as the browser took it. */
export interface PageFacts {
  readonly policy: string | null;
  /** Names of all its elements, each once. */
  readonly elements: readonly string[];
  /** Attributes that run something, or name something to be fetched or gone to. */
  readonly attributes: readonly string[];
  readonly text: string;
}

/** Run in the page; as text, since here there is no such thing as a document. */
const script = `(() => {
  const all = [...document.querySelectorAll('*')];
  const dangerous = /^(?:on|href|src|srcset|srcdoc|action|formaction|data|ping|background|poster)/;
  const policy = document.querySelector('meta[http-equiv="Content-Security-Policy"]');
  return {
    policy: policy?.getAttribute('content') ?? null,
    elements: [...new Set(all.map(({ localName }) => localName))].sort(),
    attributes: all.flatMap((element) =>
      [...element.attributes]
        .filter(({ name }) => dangerous.test(name))
        .map(({ name, value }) => element.localName + ' ' + name + '=' + value),
    ),
    text: document.body.textContent,
  };
})()`;

export const factsOf = (frame: Frame): Promise<PageFacts> => frame.evaluate<PageFacts>(script);
