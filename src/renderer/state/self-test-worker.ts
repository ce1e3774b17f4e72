/** A worker of the self-test: says back what it hears. That it runs shows that module workers start under the window's policy. */
addEventListener('message', ({ data }) => postMessage(data));
