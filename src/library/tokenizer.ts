// Its table of merges is a megabyte, so it is a bundle of its own, loaded by `tokens.ts` when somebody counts.
export { countTokens } from 'gpt-tokenizer/encoding/cl100k_base';
