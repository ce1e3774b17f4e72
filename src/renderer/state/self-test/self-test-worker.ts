/** Echo worker of the self-test. Shows that module workers start under the window's content security policy. */
addEventListener('message', ({ data }) => postMessage(data));
