/** The canvases and filters that pdf.js draws with in a worker, where there is no page to make them. */

interface Pair {
  canvas: OffscreenCanvas | null;
  context: OffscreenCanvasRenderingContext2D | null;
}

export class CanvasFactory {
  create(width: number, height: number): Pair {
    if (width <= 0 || height <= 0) throw new Error('a canvas without pixels');
    const canvas = new OffscreenCanvas(width, height);
    return { canvas, context: canvas.getContext('2d', { willReadFrequently: true }) };
  }

  getNoAlphaContext(canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D | null {
    return canvas.getContext('2d', { alpha: false, willReadFrequently: true });
  }

  reset({ canvas }: Pair, width: number, height: number): void {
    if (canvas === null || width <= 0 || height <= 0) throw new Error('a canvas without pixels');
    canvas.width = width;
    canvas.height = height;
  }

  destroy(pair: Pair): void {
    if (pair.canvas !== null) pair.canvas.width = pair.canvas.height = 0;
    pair.canvas = null;
    pair.context = null;
  }
}

/** Filters are SVG elements of a page. A drawing without them differs in soft masks at most. */
export class FilterFactory {
  addFilter(): string {
    return 'none';
  }
  addHCMFilter(): string {
    return 'none';
  }
  addAlphaFilter(): string {
    return 'none';
  }
  addLuminosityFilter(): string {
    return 'none';
  }
  addKnockoutFilter(): string {
    return 'none';
  }
  addHighlightHCMFilter(): string {
    return 'none';
  }
  addSelectionHCMFilter(): string {
    return 'none';
  }
  addSelectionFilter(): string {
    return 'none';
  }
  createSelectionStyle(): null {
    return null;
  }
  destroy(): void {
    /* Nothing is kept. */
  }
}
