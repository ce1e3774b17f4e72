/** The near miss of which the frame shows the answer code (screens/who-saw/): its form may be gone when it appears. */
class Slip {
  /** Null: none. */
  key = $state<string | null>(null);
}
export const slip = new Slip();
