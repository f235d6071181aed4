const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether an id is a UUID: most agents name their sessions so, and it is safe as an argument. */
export const isSessionId = (id: string): boolean => uuid.test(id);
