//! Pictures of a match without a browser: the drawing code of the page is pure, so a small JavaScript engine runs it
//! here. There is no second implementation of the drawing code.

use std::io::Write;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg;
use rquickjs::{Context, Function, Object, Runtime};

use replay::wire::Replay;

use crate::RenderError;

/// The drawing code, built from `web/`.
const SCENES: &str = include_str!("../../../web/dist/scenes.js");

/// The memory limit of the engine: drawing a board takes a fraction of it.
const MEMORY: usize = 512 << 20;
const STACK: usize = 4 << 20;

/// The largest width or height of a picture, in pixels.
const LARGEST: u32 = 4096;

/// The appearance of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// Whether to use dark colours.
    pub dark: bool,
    /// Width in pixels, for pictures in pixels.
    pub width: u32,
}

/// Draws one match.
pub struct Renderer {
    context: Context,
    steps: usize,
}

impl std::fmt::Debug for Renderer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Renderer").field("steps", &self.steps).finish_non_exhaustive()
    }
}

fn failed(error: impl std::fmt::Display) -> RenderError {
    RenderError::Drawing(error.to_string())
}

impl Renderer {
    /// Prepares to draw a match.
    ///
    /// # Errors
    ///
    /// When the match cannot be drawn.
    pub fn new(replay: &Replay) -> Result<Renderer, RenderError> {
        let runtime = Runtime::new().map_err(failed)?;
        runtime.set_memory_limit(MEMORY);
        runtime.set_max_stack_size(STACK);
        let context = Context::full(&runtime).map_err(failed)?;
        let text = serde_json::to_string(replay).map_err(failed)?;
        context.with(|js| {
            js.eval::<(), _>(SCENES).map_err(failed)?;
            let renderer: Object<'_> = js.globals().get("agonRenderer").map_err(failed)?;
            let load: Function<'_> = renderer.get("load").map_err(failed)?;
            load.call::<_, ()>((text,)).map_err(|error| match error {
                rquickjs::Error::Exception => {
                    let thrown = js.catch();
                    failed(thrown.as_exception().map_or_else(|| "unknown".to_owned(), ToString::to_string))
                }
                error => failed(error),
            })
        })?;
        Ok(Renderer { context, steps: replay.steps.len() })
    }

    /// The number of steps; the first one is the start.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// A picture in vectors. `at` is a step, or a point between two.
    ///
    /// # Errors
    ///
    /// When the match does not have this step.
    pub fn svg(&self, at: f64, dark: bool) -> Result<String, RenderError> {
        let last = self.steps.saturating_sub(1);
        if !(0.0..=last as f64).contains(&at) {
            return Err(RenderError::NoTurn { at, last });
        }
        self.context.with(|js| {
            let renderer: Object<'_> = js.globals().get("agonRenderer").map_err(failed)?;
            let draw: Function<'_> = renderer.get("svg").map_err(failed)?;
            draw.call::<_, String>((at, dark)).map_err(|error| match error {
                rquickjs::Error::Exception => {
                    let thrown = js.catch();
                    failed(thrown.as_exception().map_or_else(|| "unknown".to_owned(), ToString::to_string))
                }
                error => failed(error),
            })
        })
    }

    fn pixels(&self, at: f64, look: Look) -> Result<Pixmap, RenderError> {
        let svg = self.svg(at, look.dark)?;
        let tree = usvg::Tree::from_str(&svg, &usvg::Options::default()).map_err(failed)?;
        let size = tree.size();
        let width = look.width.clamp(64, LARGEST);
        let scale = width as f32 / size.width();
        let height = ((size.height() * scale).round() as u32).clamp(1, LARGEST);
        let mut pixels = Pixmap::new(width, height).ok_or_else(|| failed("it has no size"))?;
        resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
        Ok(pixels)
    }

    /// A picture in pixels, as PNG.
    ///
    /// # Errors
    ///
    /// When the match does not have this step.
    pub fn png(&self, at: f64, look: Look) -> Result<Vec<u8>, RenderError> {
        self.pixels(at, look)?.encode_png().map_err(failed)
    }

    /// A picture in pixels: its height and its width, and red, green and blue of each pixel, row by row.
    ///
    /// # Errors
    ///
    /// When the match does not have this step.
    pub fn rgb(&self, at: f64, look: Look) -> Result<(usize, usize, Vec<u8>), RenderError> {
        let pixels = self.pixels(at, look)?;
        let colours = pixels.pixels().iter().flat_map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]);
        Ok((pixels.height() as usize, pixels.width() as usize, colours.collect()))
    }

    /// A clip from one step to another, as GIF: `between` pictures for each step, `hundredths` of a second each; the
    /// last one is shown longer. `progress` gets the number of finished pictures.
    ///
    /// # Errors
    ///
    /// When the match does not have these steps, or the clip cannot be written.
    pub fn gif(
        &self,
        (from, to): (usize, usize),
        between: u16,
        hundredths: u16,
        look: Look,
        out: impl Write,
        mut progress: impl FnMut(usize),
    ) -> Result<(), RenderError> {
        let between = usize::from(between.max(1));
        if from > to {
            return Err(RenderError::Backwards { from, to });
        }
        let first = self.pixels(from as f64, look)?;
        let (width, height) = (first.width() as u16, first.height() as u16);
        let mut clip = gif::Encoder::new(out, width, height, &[]).map_err(failed)?;
        clip.set_repeat(gif::Repeat::Infinite).map_err(failed)?;
        let mut shown = Vec::new();
        let pictures = (to - from) * between + 1;
        for picture in 0..pictures {
            let at = from as f64 + picture as f64 / between as f64;
            let pixels = self.pixels(at, look)?.take();
            let delay = if picture + 1 == pictures { 300 } else { hundredths };
            let changed = changed(&shown, &pixels, usize::from(width), usize::from(height));
            let (left, top, wide, high) = changed;
            let mut part: Vec<u8> = Vec::with_capacity(wide * high * 4);
            for y in top..top + high {
                let start = (y * usize::from(width) + left) * 4;
                for at in (start..start + wide * 4).step_by(4) {
                    let pixel = &pixels[at..at + 4];
                    // Unchanged pixels become transparent: long runs of them compress well.
                    let stays = shown.get(at..at + 4) == Some(pixel);
                    part.extend_from_slice(if stays { &[0; 4] } else { pixel });
                }
            }
            let mut frame = gif::Frame::from_rgba_speed(wide as u16, high as u16, &mut part, 10);
            (frame.left, frame.top, frame.delay) = (left as u16, top as u16, delay);
            frame.dispose = gif::DisposalMethod::Keep;
            clip.write_frame(&frame).map_err(failed)?;
            shown = pixels;
            progress(picture + 1);
        }
        Ok(())
    }
}

/// The smallest rectangle that contains all changes: left, top, width and height, at least one pixel.
fn changed(before: &[u8], after: &[u8], width: usize, height: usize) -> (usize, usize, usize, usize) {
    if before.len() != after.len() {
        return (0, 0, width, height);
    }
    let (mut left, mut top, mut right, mut bottom) = (width, height, 0, 0);
    for (place, (old, new)) in before.as_chunks::<4>().0.iter().zip(after.as_chunks::<4>().0).enumerate() {
        if old != new {
            let (x, y) = (place % width, place / width);
            (left, right) = (left.min(x), right.max(x + 1));
            (top, bottom) = (top.min(y), bottom.max(y + 1));
        }
    }
    if left >= right { (0, 0, 1, 1) } else { (left, top, right - left, bottom - top) }
}

#[cfg(test)]
mod tests {
    use super::changed;

    #[test]
    fn only_what_changed_is_drawn_again() {
        let before = vec![0; 5 * 4 * 4];
        let mut after = before.clone();
        assert_eq!(changed(&before, &after, 5, 4), (0, 0, 1, 1));
        after[(5 + 2) * 4] = 1;
        after[(3 * 5 + 1) * 4 + 3] = 1;
        assert_eq!(changed(&before, &after, 5, 4), (1, 1, 2, 3));
        assert_eq!(changed(&[], &after, 5, 4), (0, 0, 5, 4));
    }
}
