/** What the frame has open over the screens: the finder, the keys. Here because the rail, the header and a key all open them. */
class Shell {
  finder = $state(false);
  help = $state(false);
}
export const shell = new Shell();
