/** Calls an identity provider, and names what a person can do about each failure. */
import { fail, type InputFault, type Result } from '../../../contract/problem.ts';
import type { SignInOffer } from '../../../contract/rest/access/sign-in.ts';

export interface ProviderTokens {
  readonly id_token: string;
  /** Null: none was given, or the old one stays valid. */
  readonly refresh_token: string | null;
}

/** A sign-in that has begun in the browser. */
interface BegunSignIn {
  /** The address to open. */
  readonly url: string;
  readonly proof: string;
  /** @param answer the address that the browser was sent to */
  finish(answer: URL): Promise<Result<ProviderTokens>>;
}

export interface ProviderClient {
  begin(
    offer: SignInOffer,
    /** `server`: the address of the server that the ID token is for. */
    back: { readonly redirect_uri: string; readonly state: string; readonly server: string },
  ): Promise<Result<BegunSignIn>>;
  /** `signed_out` if the provider refuses the token, so that the user must sign in again. */
  refresh(
    offer: Omit<SignInOffer, 'scope'>,
    refresh_token: string,
  ): Promise<Result<ProviderTokens>>;
  /** Ends the refresh token at the provider (RFC 7009); a provider without such an address is left alone. */
  revoke(offer: Omit<SignInOffer, 'scope'>, refresh_token: string): Promise<Result<null>>;
}

/** A problem of a sign-in that a person can do something about. */
export const signInFault = (
  fault: Extract<InputFault, `sign_in_${string}`>,
  message: string,
): Result<never> => fail({ kind: 'bad_input', messages: [message], fields: {}, fault });
