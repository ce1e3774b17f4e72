/** The notices that ask a user to sign in again, or to open the keychain. */
import { items } from './say.ts';

export const sign_in = {
  title: 'Please sign in again',
  safe: 'Your reports are safe on this laptop. Sign in to send them.',
  text: (n: number) =>
    n === 0
      ? 'You can keep working. New near misses are saved on this laptop.'
      : `${items(n)} ${n === 1 ? 'is' : 'are'} safe on this laptop and will be sent after you sign in.`,
  go: 'Sign in',
  locked: 'The keychain is locked',
  asking: 'Is this computer asking you about the keychain?',
  asking_text: (n: number) =>
    n === 0
      ? 'Look for the computer’s question and allow Spotter within two minutes. You can keep working.'
      : `Look for the computer’s question and allow Spotter within two minutes. ${items(n)} ${n === 1 ? 'is' : 'are'} safe on this laptop.`,
  hung: 'The keychain is not answering',
  denied: 'The keychain refused Spotter',
  absent: 'The keychain is missing',
  locked_text: (n: number) =>
    n === 0
      ? 'Unlock the keychain, then press Try again. You can keep working.'
      : `Unlock the keychain, then press Try again. ${items(n)} ${n === 1 ? 'is' : 'are'} safe on this laptop.`,
};
