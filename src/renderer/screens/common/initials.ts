/** Pure: up to two initials of a person's name, for a round sign beside the name. */
export const initialsOf = (name: string): string => {
  const parts = name.split(/\s+/u).filter(Boolean);
  const letters = [parts[0], parts.length > 1 ? parts.at(-1) : undefined];
  return letters.map((part) => [...(part ?? '')][0]?.toLocaleUpperCase() ?? '').join('');
};
