/** Text that no database can keep: NUL, half a surrogate pair. PostgreSQL refuses it, SQLite keeps something else. */
export const isBadText = (text: string): boolean => !text.isWellFormed() || text.includes('\0');
