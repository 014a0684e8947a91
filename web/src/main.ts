import { mount } from "svelte";

import App from "./ui/App.svelte";
import "./style.css";

mount(App, { target: document.getElementById("app")! });
