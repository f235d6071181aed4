const encoder = new TextEncoder();

/**
 * A value as JSON, in UTF-8: what the vault keeps, and hashes to name it. Text goes this way too, since
 * UTF-8 alone has no form for half of a surrogate pair, and an editor may hold one.
 */
export const jsonBytes = (value: unknown): Uint8Array => encoder.encode(JSON.stringify(value));
