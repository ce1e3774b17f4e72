/**
 * Times out slow JSON bodies. A body may stall for `body-timeout` and must reach `body-rate` on average, so that a long body
 * may use a slow line. Files have until `request-timeout` instead (failures S9).
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';

export const limitBodyTime = (scope: FastifyInstance, app: Pick<App, 'options'>): void => {
  const timers = new WeakMap<FastifyRequest, NodeJS.Timeout>();
  const { 'body-timeout': patience, 'body-rate': rate } = app.options;
  scope.addHook('preParsing', (request, _reply, payload, done) => {
    const { socket } = request.raw;
    const [began, before] = [performance.now(), socket.bytesRead];
    let [moved, seen] = [began, before];
    const look = (): void => {
      const now = performance.now();
      if (socket.bytesRead > seen) [moved, seen] = [now, socket.bytesRead];
      const owed = ((now - began - patience) / 1000) * rate;
      if (now - moved >= patience || seen - before < owed) request.raw.destroy();
    };
    timers.set(request, setInterval(look, Math.min(1000, Math.max(patience / 4, 10))).unref());
    done(null, payload);
  });
  const end = (request: FastifyRequest): void => clearInterval(timers.get(request));
  scope.addHook('preValidation', (request, _reply, done) => {
    end(request);
    done();
  });
  scope.addHook('onResponse', (request, _reply, done) => {
    end(request);
    done();
  });
  scope.addHook('onRequestAbort', (request, done) => {
    end(request);
    done();
  });
};
