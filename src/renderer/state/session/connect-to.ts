/**
 * Passes the server that a person wants to return to on to the connect screen, which takes it once and preselects it.
 */
interface Target {
  readonly address: string;
  readonly company_id: number | null;
}

class ConnectTo {
  #target: Target | null = null;

  want(target: Target): void {
    this.#target = target;
  }

  take(): Target | null {
    const target = this.#target;
    this.#target = null;
    return target;
  }
}
export const connectTo = new ConnectTo();
