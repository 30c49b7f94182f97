/** @type {(clips: unknown) => (call: unknown) => null} */
export const staffApi = () => () => null;
